/** The DNS zone that websites live in. */
export interface Dns {
  /** Whether the host belongs to the zone. */
  owns(host: string): boolean;
  /** Points the host to a target; does nothing where it already does. */
  point(host: string, target: string): Promise<void>;
  /** Removes the host; does nothing where there is none. */
  remove(host: string): Promise<void>;
}
