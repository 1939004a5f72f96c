/**
 * What names of AWS in a region end with.
 * https://docs.aws.amazon.com/general/latest/gr/rande.html, and the SDK's own list of partitions.
 */
export function dnsSuffixOf(region: string): string {
  const suffixes: readonly (readonly [string, string])[] = [
    ["cn-", "amazonaws.com.cn"],
    ["eusc-", "amazonaws.eu"],
    ["us-iso-", "c2s.ic.gov"],
    ["us-isob-", "sc2s.sgov.gov"],
    ["us-isof-", "csp.hci.ic.gov"],
    ["eu-isoe-", "cloud.adc-e.uk"],
  ];
  return suffixes.find(([prefix]) => region.startsWith(prefix))?.[1] ?? "amazonaws.com";
}
