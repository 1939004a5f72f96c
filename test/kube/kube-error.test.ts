import { expect, test } from "@jest/globals";
import { kubeErrorOf } from "../../shared/kube/kube-error.ts";
import { repeatable } from "../../shared/kube/repeatable.ts";
import { retryAfterSecondsOf } from "../../shared/kube/retry-after.ts";

const date = "Sun, 06 Nov 1994 08:49:37 GMT";

test.each<[Record<string, string>, number | undefined]>([
  [{ "retry-after": "5" }, 5],
  [{ "retry-after": " 120 " }, 120],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "Sun, 06 Nov 1994 08:50:07 GMT", date }, 30],
  [{ "retry-after": "Sun, 06 Nov 1994 08:00:00 GMT", date }, 0],
  [{ "retry-after": "Sun, 06 Nov 1994 08:50:07 GMT" }, undefined],
  [{ "retry-after": "soon", date }, undefined],
  [{ "retry-after": "" }, undefined],
  [{}, undefined],
])("the wait that %j asks for is %p seconds", (headers, seconds) => {
  expect(retryAfterSecondsOf(headers)).toBe(seconds);
});

test("an error has the seconds of the header, else those of the Status", () => {
  const body = { reason: "TooManyRequests", details: { retryAfterSeconds: 1 } };

  expect(
    kubeErrorOf("list Pod", { status: 429, headers: { "retry-after": "5" }, body }),
  ).toMatchObject({
    status: 429,
    reason: "TooManyRequests",
    retryAfterSeconds: 5,
  });
  expect(kubeErrorOf("list Pod", { status: 429, headers: {}, body }).retryAfterSeconds).toBe(1);
  expect(
    kubeErrorOf("list Pod", { status: 503, headers: {}, body: "" }).retryAfterSeconds,
  ).toBeUndefined();
});

test.each([null, "text", 7, [], { metadata: null }, { metadata: "a" }, {}])(
  "a POST of %j is not repeatable",
  (body) => {
    expect(repeatable({ method: "POST", path: "/", body })).toBe(false);
  },
);
