import { expect, test } from "@jest/globals";
import { memoryPeer } from "./kube-peer.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const MERGE = { "content-type": "application/merge-patch+json" };

/** ConfigMaps of which each blocks the end of the next, and the last that of the first. */
async function circle(names: readonly string[]) {
  const peer = memoryPeer();
  const call = async (method: string, path: string, body?: object) => {
    const headers = method === "PATCH" ? MERGE : { "content-type": "application/json" };
    const text = body && JSON.stringify(body);
    return peer.request({ method, path, headers, ...(text !== undefined && { body: text }) });
  };
  const uids = new Map<string, string>();
  for (const name of names) {
    const { text } = await call("POST", CONFIG_MAPS, { metadata: { name } });
    uids.set(name, (JSON.parse(text) as { metadata: { uid: string } }).metadata.uid);
  }
  for (const [index, name] of names.entries()) {
    const owner = names.at(index - 1) ?? "";
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: owner, uid: uids.get(owner) };
    const ownerReferences = [{ ...reference, blockOwnerDeletion: true }];
    await call("PATCH", `${CONFIG_MAPS}/${name}`, { metadata: { ownerReferences } });
  }
  return { peer, call };
}

test.each([[["a", "b"]], [["a", "b", "c", "d"]]])(
  "objects that own one another in a circle do not wait for one another: %j",
  async (names) => {
    const { peer, call } = await circle(names);
    await call("DELETE", `${CONFIG_MAPS}/a?propagationPolicy=Foreground`);
    for (let turn = 0; turn < 10; turn += 1) await peer.pause?.();
    const left = await call("GET", CONFIG_MAPS);
    expect((JSON.parse(left.text) as { items: unknown[] }).items).toEqual([]);
    await peer.close();
  },
);
