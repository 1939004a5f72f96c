import { isIPv4, isIPv6 } from "node:net";

/**
 * Whether the API server checks strings of custom resources against that format. Dashes do not count
 * ("date-time" is "datetime"); all other formats say nothing.
 * https://pkg.go.dev/k8s.io/apiextensions-apiserver/pkg/apiserver/validation
 */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, normal(format));
}

/** Whether the text is of that format; true of formats that are not known. */
export function matchesFormat(format: string, text: string): boolean {
  return FORMATS[normal(format)]?.(text) ?? true;
}

type FormatCheck = (text: string) => boolean;

const UUID = (third: string, fourth: string): FormatCheck => {
  const form = `^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}-?${fourth}-?[0-9a-f]{12}$`;
  return matching(new RegExp(form, "i"));
};
const HEX4 = "[0-9a-f]{4}";
const SHORT_NAME = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

const FORMATS: Readonly<Record<string, FormatCheck>> = {
  bsonobjectid: matching(/^[0-9a-fA-F]{24}$/),
  byte: matching(
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/,
  ),
  cidr: isCidr,
  creditcard: isCreditCard,
  date: isDate,
  datetime: isDateTime,
  duration: isDuration,
  email: isEmail,
  hexcolor: matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  hostname: isHostname,
  ipv4: (text) => text.includes(".") && isIp(text),
  ipv6: (text) => text.includes(":") && isIp(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  k8slongname: (text) =>
    text.length <= 253 && new RegExp(`^${SHORT_NAME}(\\.${SHORT_NAME})*$`).test(text),
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${SHORT_NAME}$`).test(text),
  mac: matching(
    /^(?:[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}(?:(?:[0-9a-f]{2}\1){2}|(?:[0-9a-f]{2}\1){14})?[0-9a-f]{2}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?:\.[0-9a-f]{4}|(?:\.[0-9a-f]{4}){7})?)$/i,
  ),
  password: () => true,
  rgbcolor: matching(
    /^rgb\(\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*,\s*(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  ssn: matching(/^\d{3}[- ]\d{2}[- ]\d{4}$/),
  uri: isRequestUri,
  uuid: UUID(HEX4, HEX4),
  uuid3: UUID("3[0-9a-f]{3}", HEX4),
  uuid4: UUID("4[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
  uuid5: UUID("5[0-9a-f]{3}", "[89ab][0-9a-f]{3}"),
};

function normal(format: string): string {
  return format.replaceAll("-", "");
}

function matching(form: RegExp): FormatCheck {
  return (text) => form.test(text);
}

/** Leading zeros are taken in IPv4, as Go did before 1.17. */
function isIp(text: string): boolean {
  const plain = text.replace(/(^|[.:])0+(?=\d{1,3}(\.|$))/g, "$1");
  if (text.includes("%")) return false;
  return isIPv4(plain) || isIPv6(plain);
}

function isCidr(text: string): boolean {
  const [ip = "", bits = "", more] = text.split("/");
  if (more !== undefined || !/^\d+$/.test(bits) || !isIp(ip)) return false;
  return Number(bits) <= (ip.includes(":") ? 128 : 32);
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}

function isDateTime(text: string): boolean {
  const [date = "", time] = text.toLowerCase().split("t");
  if (time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(
    time,
  );
  if (!match) return false;
  const [, hours = "", minutes = "", seconds = ""] = match;
  return hours <= "23" && minutes <= "59" && seconds <= "59";
}

/** As Go's time.ParseDuration, or in words: "3 days". */
function isDuration(text: string): boolean {
  if (/^[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  const unit = /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|nano|micro|milli|sec|min|hour|day|week)/;
  const parts = text.matchAll(/\d+\s*([A-Za-zµ]+)/g);
  return [...parts].some(([, name = ""]) => unit.test(name.toLowerCase()));
}

/** "a@b" or "Name <a@b>", about as Go's net/mail.ParseAddress. */
function isEmail(text: string): boolean {
  const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\uffff-]+";
  const dotted = `${atom}(?:\\.${atom})*`;
  const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)+"';
  const address = `(?:${dotted}|${quoted})@(?:${dotted}|\\[[0-9a-fA-F.:]+\\])`;
  const name = `(?:(?:${atom}|${quoted})(?:\\s+(?:${atom}|${quoted}|\\.))*\\s*)?`;
  return new RegExp(`^\\s*(?:${address}|${name}<\\s*${address}\\s*>)\\s*$`).test(text);
}

const HOSTNAME =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || !HOSTNAME.test(text)) return false;
  return text.split(".").every((label) => Buffer.byteLength(label) <= 63);
}

/** As Go's url.ParseRequestURI: a path from the root, or a URL with a scheme. */
function isRequestUri(text: string): boolean {
  if (text === "" || /[^ -~\u{80}-\u{10ffff}]/u.test(text)) return false;
  const escaped = !/%(?![0-9a-fA-F]{2})/.test(text);
  if (text.startsWith("/")) return escaped;
  const match = /^[A-Za-z][A-Za-z0-9+.-]*:(.*)$/.exec(text);
  if (!match) return false;
  const [, rest = ""] = match;
  if (!rest.startsWith("/")) return rest !== "";
  if (!escaped) return false;
  const host = /^\/\/([^/?#]*)/.exec(rest)?.[1] ?? "";
  return !/[ <>"]/.test(host) && !/:(?!\d*$)/.test(host.replace(/^.*@/, "").replace(/^\[.*\]/, ""));
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, index) => {
    return total + (digit === "X" ? 10 : Number(digit)) * (10 - index);
  }, 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, "");
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = Array.from(digits).reduce((total, digit, index) => {
    return total + Number(digit) * (index % 2 === 0 ? 1 : 3);
  }, 0);
  return sum % 10 === 0;
}

const CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits of a known issuer with Luhn's checksum; all else in the text is skipped. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, "");
  if (!CARD.test(digits)) return false;
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, index) => {
      const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}
