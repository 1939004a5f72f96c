/** Where all objects of a simulation are. */
export const NAMESPACE = "default";

export const gadgetName = (index: number): string => `gadget-${index}`;
export const settingName = (index: number): string => `setting-${index}`;
export const tickerName = (index: number): string => `ticker-${index}`;

/** What a user writes of a Gadget. */
export function gadgetSpec(size: number, setting: number): object {
  return { size, setting: settingName(setting) };
}
