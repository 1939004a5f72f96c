import { defineRuled, object, text, tryWidget } from "./harness/rules.ts";
import { scenario } from "./harness/scenario.ts";

// Expressions, each a rule of a field of its own. The fields all hold "ab-1": those of the first
// list are to be true of it, those of the others fail in one way or another.

const SELF = "ab-1";

const TRUE: Readonly<Record<string, readonly string[]>> = {
  "numbers and comparisons": [
    "1 + 2 * 3 == 7 && 7 / 2 == 3 && -7 / 2 == -3 && -7 % 3 == -1",
    "1.5 + 1.5 == 3.0 && 7.0 / 2.0 == 3.5 && 1e3 == 1000.0",
    "1u + 2u == 3u && 5u / 2u == 2u && 5u % 2u == 1u",
    "dyn(1) == 1.0 && dyn(1u) == 1 && 1 < 1.5 && 2u > 1.5 && dyn(1) in [1.0]",
    "0x10 == 16 && -0x10 == -16 && -9223372036854775808 < 0",
    "true > false && 'a' < 'b' && 'Z' < 'a' && b'a' < b'b' && 'é' > 'z'",
    "!(1 == 2) && (true || false) && !(true && false) && (self == 'x' ? false : true)",
    "(1 / 0 == 1 || true) && !(1 / 0 == 1 && false) && (true || 1 / 0 == 1)",
    "null == null && type(null) == null_type && type(1) == int && type(type(1)) == type",
    "[1, 2] == [1, 2] && {'a': 1} == {'a': 1} && [1, 2] != [2, 1] && [[1]] == [[1]]",
    "{1: 'a', 2: 'b'}[2] == 'b' && {true: 1}[true] == 1 && {'a': {'b': 1}}.a.b == 1",
    "1 in [1, 2] && 'a' in {'a': 1} && !('b' in {'a': 1}) && !(3 in [1, 2])",
    "[1, 2] + [3] == [1, 2, 3] && 'a' + 'b' == 'ab' && b'a' + b'b' == b'ab'",
  ],
  conversions: [
    "int('12') == 12 && int(1.9) == 1 && int(-1.9) == -1 && int(5u) == 5",
    "uint('12') == 12u && uint(5) == 5u && uint(2.7) == 2u",
    "double('1.5') == 1.5 && double(2) == 2.0 && double(2u) == 2.0",
    "string(1) == '1' && string(1.5) == '1.5' && string(1u) == '1' && string(true) == 'true'",
    "string(1.0) == '1' && string(1e30) == '1e+30' && string(0.00001) == '1e-05' && string(1234567.0) == '1.234567e+06'",
    "string(b'abc') == 'abc' && bytes('é') == b'é' && size(bytes('é')) == 2",
    "bool('true') && !bool('f') && bool('1') && dyn(self) == 'ab-1'",
    "string(timestamp('2024-02-29T12:00:00.5Z')) == '2024-02-29T12:00:00.5Z'",
    "string(duration('1h30m')) == '5400s' && string(duration('1.5s')) == '1.5s'",
    "int(timestamp('1970-01-01T00:01:00Z')) == 60 && timestamp(60) == timestamp('1970-01-01T00:01:00Z')",
    "size('é€😀') == 3 && 'abc'.size() == 3 && size([1, 2]) == 2 && {'a': 1}.size() == 1",
  ],
  times: [
    "duration('60m') == duration('1h') && duration('-1h') < duration('0s') && duration('1ms') > duration('1us')",
    "timestamp('2024-01-01T00:00:00Z') + duration('24h') == timestamp('2024-01-02T00:00:00Z')",
    "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
    "timestamp('2024-01-01T01:00:00+01:00') == timestamp('2024-01-01T00:00:00Z')",
    "timestamp('2024-02-29T12:34:56.789Z').getFullYear() == 2024 && timestamp('2024-02-29T12:34:56.789Z').getMonth() == 1",
    "timestamp('2024-02-29T12:34:56.789Z').getDate() == 29 && timestamp('2024-02-29T12:34:56.789Z').getDayOfMonth() == 28",
    "timestamp('2024-02-29T12:34:56.789Z').getDayOfWeek() == 4 && timestamp('2024-02-29T12:34:56.789Z').getDayOfYear() == 59",
    "timestamp('2024-02-29T12:34:56.789Z').getHours() == 12 && timestamp('2024-02-29T12:34:56.789Z').getMinutes() == 34",
    "timestamp('2024-02-29T12:34:56.789Z').getSeconds() == 56 && timestamp('2024-02-29T12:34:56.789Z').getMilliseconds() == 789",
    "timestamp('2024-07-01T23:00:00Z').getDate('Europe/Berlin') == 2 && timestamp('2024-07-01T23:00:00Z').getHours('-02:00') == 21",
    "duration('90m').getHours() == 1 && duration('90m').getMinutes() == 90 && duration('1.5s').getMilliseconds() == 1500",
    "duration('90m').getSeconds() == 5400 && type(duration('1s')) == google.protobuf.Duration",
  ],
  texts: [
    "self.startsWith('ab') && self.endsWith('-1') && self.contains('b-') && self.matches('^[a-z]+-[0-9]$')",
    "matches(self, 'b.1') && !self.matches('^b') && 'x\\ny'.matches('(?s)x.y') && !'x\\ny'.matches('^x$')",
    "'tacocat'.charAt(3) == 'o' && 'abc'.charAt(3) == '' && 'a😀b'.charAt(2) == 'b'",
    "'tacocat'.indexOf('c') == 2 && 'tacocat'.indexOf('c', 3) == 4 && 'abc'.indexOf('x') == -1 && 'abc'.indexOf('') == 0",
    "'😀b'.indexOf('b') == 1 && 'tacocat'.lastIndexOf('c') == 4 && 'tacocat'.lastIndexOf('c', 3) == 2",
    "'ÄA'.lowerAscii() == 'Äa' && 'äa'.upperAscii() == 'äA'",
    "'aXbX'.replace('X', 'y') == 'ayby' && 'aXbX'.replace('X', 'y', 1) == 'aybX' && 'ab'.replace('', '_') == '_a_b_'",
    "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'ab'.split('') == ['a', 'b'] && 'a'.split(',', 0) == []",
    "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco' && '  x\\t'.trim() == 'x'",
    "self.find('[0-9]+') == '1' && self.find('x') == '' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b22'.findAll('[0-9]+', 1) == ['1']",
    "'%s is %d'.format([dyn(self), dyn(3)]) == 'ab-1 is 3' && '%.2f'.format([1.239]) == '1.24' && '%x %X %o %b'.format([255, 255, 8, 5]) == 'ff FF 10 101'",
    "'%s'.format([[1, 2]]) == '[1, 2]' && '%s %%'.format(['a']) == 'a %' && '%s'.format([{'a': 'b'}]) == '{\"a\":\"b\"}'",
    "'%s %s'.format(['a', 1]) == 'a 1' && strings.quote('a\"b') == '\"a\\\\\"b\"' && '%e'.format([1234.5]) != ''",
  ],
  macros: [
    "[1, 2].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2].exists_one(x, x == 2)",
    "[1, 2].map(x, x * 2) == [2, 4] && [1, 2].map(x, x > 1, x * 2) == [4] && [1, 2, 3].filter(x, x % 2 == 1) == [1, 3]",
    "{'a': 1}.all(k, k == 'a') && {'a': 1}.exists(k, v, v == 1) && [5].all(i, v, i == 0 && v == 5) && {'a': 1, 'b': 2}.existsOne(k, v, v == 2)",
    "[4, 5].transformList(i, v, i + v) == [4, 6] && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2} && {'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}",
    "[4, 5].transformList(i, v, i > 0, v) == [5] && {'a': 1, 'b': 2}.transformMap(k, v, v > 1, v) == {'b': 2}",
    "[0, 1].exists(x, 1 / x == 1) && ![0, 1].all(x, 1 / x == 5)",
    "optional.of(1).hasValue() && !optional.none().hasValue() && optional.of(1).value() == 1 && optional.none().orValue(2) == 2",
    "optional.ofNonZeroValue('').or(optional.of('x')).value() == 'x' && {'a': 1}[?'b'].orValue(3) == 3 && {'a': 1}.?a.value() == 1 && [1][?5].orValue(0) == 0",
    "{'a': {'b': 1}}.?a.?b.optMap(x, x + 1).value() == 2 && optional.of(1).optFlatMap(x, optional.of(x)).value() == 1 && [optional.of(1), optional.none()].unwrapOpt() == [1]",
  ],
  "quantities, addresses, versions and formats": [
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').isLessThan(quantity('1')) && quantity('1').compareTo(quantity('1000m')) == 0",
    "quantity('1Ki').asInteger() == 1024 && !quantity('1500m').isInteger() && quantity('1500m').asApproximateFloat() == 1.5 && isQuantity('1Mi') && !isQuantity('1X')",
    "quantity('1').add(quantity('1')).isGreaterThan(quantity('1')) && quantity('5').sub(3) == quantity('2') && quantity('5').add(-5) == quantity('0') && sign(quantity('-1')) == -1",
    "url('https://user@example.com:80/a%20b?x=1&x=2#f').getHost() == 'example.com:80' && url('https://[::1]:80/').getHostname() == '::1' && url('https://example.com:80/').getPort() == '80'",
    "url('https://example.com/a b/').getEscapedPath() == '/a%20b/' && url('https://example.com?x=1&x=2').getQuery()['x'] == ['1', '2'] && url('/a').getScheme() == '' && isURL('https://a') && !isURL('a')",
    "ip('10.0.0.1').family() == 4 && ip('::1').isLoopback() && ip('0.0.0.0').isUnspecified() && ip('169.254.1.1').isLinkLocalUnicast() && ip('224.0.0.1').isLinkLocalMulticast()",
    "ip('8.8.8.8').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && isIP('::') && !isIP('1.2.3') && !isIP('01.2.3.4') && !isIP('::ffff:1.2.3.4') && ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1')",
    "string(ip('2001:db8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1' && ip('2001:db8::abcd') == ip('2001:DB8::ABCD') && string(ip('fe80:0:0:0:0:0:0:0')) == 'fe80::'",
    "cidr('10.0.0.0/8').containsIP('10.1.2.3') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.0')) && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.0.0.0/8').containsCIDR(cidr('0.0.0.0/0'))",
    "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.1.2.3/8').ip() == ip('10.1.2.3') && cidr('::/64').prefixLength() == 64 && isCIDR('::/0') && !isCIDR('10.0.0.0/33') && string(cidr('10.0.0.0/8')) == '10.0.0.0/8'",
    "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-alpha').compareTo(semver('1.0.0')) == -1 && semver('v1.02', true) == semver('1.2.0') && isSemver('1.2.3-a.1+b') && !isSemver('1.2') && semver('1.2.3').minor() == 2",
    "!format.dns1123Label().validate('ab-1').hasValue() && format.dns1123Label().validate('A').hasValue() && !format.named('uuid').value().validate('123e4567-e89b-12d3-a456-426614174000').hasValue() && !format.named('no').hasValue()",
    "!format.dns1035LabelPrefix().validate('ab-').hasValue() && format.labelValue().validate('a b').hasValue() && !format.qualifiedName().validate('a.b/c').hasValue() && format.date().validate('2024-02-30').hasValue()",
  ],
};

/** Not true, or not to be told. */
const FAILING: readonly string[] = [
  "self == 'x'",
  "1 / int(self.size() - 4) == 1",
  "1 % (self.size() - 4) == 1",
  "9223372036854775807 + self.size() == 0",
  "-9223372036854775808 - self.size() == 0",
  "uint(self.size() - 5) == 1u",
  "int(self) == 1",
  "double(self) == 1.0",
  "bool(self)",
  "[1][self.size()] == 1",
  "{'a': 1}[self] == 1",
  "{'a': 1}.b == 1",
  "dyn(self) + dyn(1) == dyn(2)",
  "dyn(self) > 1",
  "dyn(self).nosuch == 1",
  "dyn(self).exists(x, x == 1)",
  "self.charAt(10) == ''",
  "self.substring(3, 1) == ''",
  "self.substring(10) == ''",
  "self.matches(self + '(')",
  "self.find(self + '(') == ''",
  "timestamp(self) == timestamp(0)",
  "duration(self) == duration('1s')",
  "quantity(self) == quantity('1')",
  "ip(self).family() == 4",
  "ip(self == 'x' ? self : '::ffff:1.2.3.4').family() == 4",
  "cidr(self).prefixLength() == 4",
  "url(self).getHost() == ''",
  "semver(self).major() == 1",
  "optional.ofNonZeroValue(self.size() - 4).value() == 1",
  "[1].slice(0, self.size()) == [1]",
  "[self.size()].filter(x, x > 10).min() == 1",
  "quantity('1.5').asInteger() == self.size()",
  "[1, 2].exists(x, x / (self.size() - 4) == 1)",
  "[1, 2].all(x, x / (self.size() - 4) == 1)",
  "'%d'.format([dyn(self)]) == ''",
  "timestamp('2024-01-01T00:00:00Z').getDate('Nowhere/' + self) == 1",
  "timestamp('9999-12-31T23:59:59Z') + duration('24h') == timestamp(0)",
  "{'a': 1, self: 2, 'ab-1': 3}.size() == 3",
];

/** Of lists whose length is bounded, since the API server takes what is not for long. */
const LIST_RULES: readonly string[] = [
  "!self.isSorted() && [1, 2, 2].size() == 3",
  "self.sum() == 6",
  "self.min() == 1 && self.max() == 3",
  "self.indexOf(1) == 1 && self.lastIndexOf(3) == 0 && self.indexOf(5) == -1",
  "self.slice(1, 3).size() == 2 && self.slice(1, 3)[0] == 1",
  "[self, self].flatten().size() == 6 && self.reverse()[0] == 2",
  "lists.range(3)[2] == 2 && self.sort()[0] == 1 && self.distinct().size() == 3",
  "self.sortBy(x, -x)[2] == 1",
  "self.first().value() == 3 && self.last().value() == 2",
  "sets.contains(self, [1]) && sets.intersects(self, [5, 3]) && !sets.intersects(self, [7])",
  "sets.equivalent(self, [1, 2, 3])",
  "self.map(x, [x]).exists(x, x.exists(y, y == 2)) && self + [1] != self && self == [3, 1, 2]",
  "self.exists(x, x == 2) && self.exists_one(x, x > 2) && self.filter(x, x > 1).size() == 2",
  "self.transformMap(i, x, x)[0] == 3 && self.map(x, x * 2)[1] == 2",
  "dyn(self).all(x, x < 5) && self[?7].orValue(9) == 9 && self[0] == 3",
  "self[3] == 1",
  "self[-1] == 1",
  "self.slice(3, 9).size() == 0",
  "self.map(x, x - 1).exists(x, 4 / x == 9)",
  "self.filter(x, x > 9).max() == 1",
  "self.transformMap(i, x, x)[7] == 3",
  "self.transformMapEntry(i, x, {'a': x}).size() == 3",
];

const fieldsOf = (rules: readonly string[]) =>
  Object.fromEntries(rules.map((rule, index) => [`c${index}`, rule] as const));

export const scenarios = [
  ...Object.entries(TRUE).map(([name, rules]) =>
    scenario(name, async (api) => {
      const fields = Object.entries(fieldsOf(rules));
      const texts = fields.map(([field, rule]) => [field, text(rule)]);
      await defineRuled(api, object(Object.fromEntries(texts)));
      for (const [field] of fields) await tryWidget(api, { [field]: SELF });
    }),
  ),
  scenario("lists and sets", async (api) => {
    const rules = Object.entries(fieldsOf(LIST_RULES));
    const numbers = { type: "array", maxItems: 4, items: { type: "integer" } };
    const fields = rules.map(([field, rule]) => [
      field,
      { ...numbers, "x-kubernetes-validations": [{ rule }] },
    ]);
    await defineRuled(api, object(Object.fromEntries(fields)));
    for (const [field] of rules) await tryWidget(api, { [field]: [3, 1, 2] });
  }),
  scenario("expressions that are false, or have no value", async (api) => {
    const fields = Object.entries(fieldsOf(FAILING));
    const texts = fields.map(([field, rule]) => [field, text(rule)]);
    await defineRuled(api, object(Object.fromEntries(texts)));
    for (const [field] of fields) await tryWidget(api, { [field]: SELF });
  }),
];
