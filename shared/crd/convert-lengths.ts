import { checksOf, type DefOf, fault, type Place } from "./place.ts";

/**
 * The least and the most characters or items that the checks of a layer ask for, in whole numbers:
 * the API server takes no others. An endless limit is none.
 */
export function lengthsOf(
  def: DefOf<"string"> | DefOf<"array">,
  place: Place,
): { readonly least?: number; readonly most?: number } {
  const checks = checksOf(def);
  const given = (name: string) =>
    checks.flatMap(({ check, minimum, maximum, length }) => {
      const limit = minimum ?? maximum ?? length;
      return limit !== undefined && (check === name || check === "length_equals") ? [limit] : [];
    });
  const lower = given("min_length");
  const upper = given("max_length");
  const least = Math.ceil(Math.max(0, ...lower));
  const most = Math.floor(Math.min(...upper));
  if (!(least <= most) || least > Number.MAX_SAFE_INTEGER) {
    const limits = [...new Set([...lower, ...upper])].join(", ");
    fault(place, `no length is within ${limits}`, "name one that there can be");
  }
  return {
    ...(lower.length > 0 && { least }),
    ...(most <= Number.MAX_SAFE_INTEGER && { most }),
  };
}
