import { expect, test } from "@jest/globals";
import { readUrl } from "../../cli/import-url.ts";

const signal = new AbortController().signal;

/** Answers the URLs in turn, and tells which were asked for. */
function answering(...responses: readonly Response[]) {
  const asked: string[] = [];
  const left = [...responses];
  const fetch = async (url: unknown) => {
    asked.push(String(url));
    return left.shift() ?? Response.error();
  };
  return { asked, fetch: fetch as typeof globalThis.fetch };
}

const moved = (location: string) => new Response(null, { status: 302, headers: { location } });

test("reads what is there, over redirects", async () => {
  const { asked, fetch } = answering(
    moved("/b"),
    moved("https://c.example/d"),
    new Response("text é"),
  );
  expect(await readUrl("https://a.example/a", { fetch, signal })).toBe("text é");
  expect(asked).toEqual(["https://a.example/a", "https://a.example/b", "https://c.example/d"]);
});

test("rejects a redirect to plain http before it is followed", async () => {
  const { asked, fetch } = answering(moved("http://c.example/d"));
  await expect(readUrl("https://a.example/a", { fetch, signal })).rejects.toThrow(
    "cannot import http://c.example/d: expected an https URL",
  );
  expect(asked).toHaveLength(1);
});

test("rejects a circle of redirects", async () => {
  const { fetch } = answering(...Array.from({ length: 10 }, () => moved("/a")));
  await expect(readUrl("https://a.example/a", { fetch, signal })).rejects.toThrow(
    "expected at most 5 redirects, got more",
  );
});

test("rejects what is too large, without reading it to its end", async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(new Uint8Array(10));
    },
  });
  const { fetch } = answering(new Response(body));
  await expect(readUrl("https://a.example/a", { fetch, signal, limitBytes: 25 })).rejects.toThrow(
    "expected at most 25 bytes, got more",
  );
  expect(sent).toBeLessThan(10);
});

test("rejects an answer that is no success, and none at all, in a line", async () => {
  const missing = answering(new Response("no", { status: 404 }));
  await expect(readUrl("https://a.example/a?token=t", { ...missing, signal })).rejects.toThrow(
    /^cannot import https:\/\/a.example\/a: expected 200, got 404; check the URL$/,
  );
  const fetch = async () => {
    throw new TypeError("fetch failed");
  };
  await expect(readUrl("https://a.example/a", { fetch, signal })).rejects.toThrow(
    "cannot import https://a.example/a: expected an answer, got none; check the URL",
  );
});
