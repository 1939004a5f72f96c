import type { Answer, Api } from "./harness/api.ts";
import {
  CONFIG_MAPS,
  configMap,
  defineWidgets,
  SECRETS,
  WIDGETS,
  widget,
} from "./harness/objects.ts";
import { scenario } from "./harness/scenario.ts";

const UID = "00000000-0000-4000-8000-000000000001";
const at = (name: string) => `${CONFIG_MAPS}/${name}`;
const options = (propagationPolicy: string) => ({
  apiVersion: "v1",
  kind: "DeleteOptions",
  propagationPolicy,
});
const gone = ({ status }: Answer) => status === 404;

function ownedBy(name: string, uid: string, more: object = {}) {
  return { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name, uid, ...more }] };
}

async function ownerAndChild({ quiet }: Api, more: object = {}, metadata: object = {}) {
  const owner = await quiet.post(CONFIG_MAPS, configMap("owner"));
  const meta = { ...ownedBy("owner", owner.uid, more), ...metadata };
  const child = await quiet.post(CONFIG_MAPS, configMap("child", {}, meta));
  return { owner, child };
}

export const scenarios = [
  scenario("a child goes after its owner", async (api) => {
    await ownerAndChild(api);
    await api.delete(at("owner"));
    await api.until(at("child"), gone);
  }),
  scenario("grandchildren go too", async (api) => {
    const { child } = await ownerAndChild(api);
    await api.quiet.post(CONFIG_MAPS, configMap("grandchild", {}, ownedBy("child", child.uid)));
    await api.delete(at("owner"));
    await api.until(at("grandchild"), gone);
  }),
  scenario("a child whose owner never was goes", async (api) => {
    await api.post(CONFIG_MAPS, configMap("child", {}, ownedBy("owner", UID)));
    await api.until(at("child"), gone);
  }),
  scenario("an owner is known by its uid, not by its name", async (api) => {
    const owner = await api.quiet.post(CONFIG_MAPS, configMap("owner"));
    await api.quiet.delete(at("owner"));
    await api.quiet.post(CONFIG_MAPS, configMap("owner"));
    await api.post(CONFIG_MAPS, configMap("child", {}, ownedBy("owner", owner.uid)));
    await api.until(at("child"), gone);
    await api.get(at("owner"));
  }),
  scenario("an owner in another namespace is none", async (api) => {
    const path = "/api/v1/namespaces/default/configmaps";
    const owner = await api.quiet.post(path, configMap("{ns}-owner"));
    await api.post(CONFIG_MAPS, configMap("child", {}, ownedBy("{ns}-owner", owner.uid)));
    await api.until(at("child"), gone);
    await api.quiet.delete(`${path}/{ns}-owner`);
  }),
  scenario("a child with one of two owners left stays, and forgets the other", async (api) => {
    const one = await api.quiet.post(CONFIG_MAPS, configMap("one"));
    const two = await api.quiet.post(CONFIG_MAPS, configMap("two"));
    const references = [ownedBy("one", one.uid), ownedBy("two", two.uid)];
    const ownerReferences = references.flatMap((each) => each.ownerReferences);
    await api.quiet.post(CONFIG_MAPS, configMap("child", {}, { ownerReferences }));
    await api.delete(at("one"));
    await api.until(at("child"), ({ object }) => object.metadata.ownerReferences?.length === 1);
    await api.delete(at("two"));
    await api.until(at("child"), gone);
  }),
  scenario("orphans stay without their owner", async (api) => {
    await ownerAndChild(api);
    await api.delete(at("owner"), options("Orphan"));
    await api.until(at("owner"), gone);
    await api.get(at("child"));
  }),
  scenario("foreground: an owner waits for children that block it", async (api) => {
    await ownerAndChild(api, { blockOwnerDeletion: true }, { finalizers: ["example.com/x"] });
    await api.delete(at("owner"), options("Foreground"));
    await api.until(at("child"), ({ object }) => object.metadata.deletionTimestamp !== undefined);
    await api.get(at("owner"));
    await api.merge(at("child"), { metadata: { finalizers: null } });
    await api.until(at("owner"), gone);
    await api.get(at("child"));
  }),
  scenario("foreground: an owner does not wait for children that do not block it", async (api) => {
    await ownerAndChild(api, {}, { finalizers: ["example.com/x"] });
    await api.delete(at("owner"), options("Foreground"));
    await api.until(at("owner"), gone);
    await api.until(at("child"), ({ object }) => object.metadata.deletionTimestamp !== undefined);
  }),
  scenario("foreground without children", async (api) => {
    await api.quiet.post(CONFIG_MAPS, configMap("owner"));
    await api.delete(at("owner"), options("Foreground"));
    await api.until(at("owner"), gone);
  }),
  scenario(
    "a child made after its owner went, and one given an owner that is none",
    async (api) => {
      const { owner } = await ownerAndChild(api);
      await api.quiet.delete(at("owner"));
      await api.quiet.until(at("child"), gone);
      await api.quiet.post(CONFIG_MAPS, configMap("late", {}, ownedBy("owner", owner.uid)));
      await api.until(at("late"), gone);
      await api.quiet.post(CONFIG_MAPS, configMap("given"));
      await api.merge(at("given"), { metadata: ownedBy("owner", owner.uid) });
      await api.until(at("given"), gone);
    },
  ),
  scenario("an owner of another kind", async (api) => {
    const owner = await api.quiet.post(SECRETS, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "owner" },
    });
    const reference = { apiVersion: "v1", kind: "Secret", name: "owner", uid: owner.uid };
    await api.quiet.post(CONFIG_MAPS, configMap("child", {}, { ownerReferences: [reference] }));
    await api.delete(`${SECRETS}/owner`);
    await api.until(at("child"), gone);
  }),
  scenario("owner references that are none", async (api) => {
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: UID };
    const owned = (...ownerReferences: object[]) => configMap("child", {}, { ownerReferences });
    await api.post(CONFIG_MAPS, owned({ ...owner, uid: undefined }));
    await api.post(CONFIG_MAPS, owned({ ...owner, name: "" }));
    await api.post(CONFIG_MAPS, owned({ ...owner, apiVersion: "" }));
    await api.post(CONFIG_MAPS, owned({ ...owner, kind: undefined }));
    await api.post(CONFIG_MAPS, owned({ ...owner, kind: "Event" }));
    const other = { ...owner, uid: UID.replace("1", "2"), controller: true };
    await api.post(CONFIG_MAPS, owned({ ...owner, controller: true }, other));
    await api.post(CONFIG_MAPS, owned({ ...owner, apiVersion: "a/b/c" }));
  }),
  scenario("a custom resource that owns", async (api) => {
    await defineWidgets(api);
    const owner = await api.quiet.post(WIDGETS, widget("owner"));
    const reference = {
      apiVersion: "{ns}.example.com/v1",
      kind: "Widget",
      name: "owner",
      uid: owner.uid,
      controller: true,
      blockOwnerDeletion: true,
    };
    await api.post(CONFIG_MAPS, configMap("child", {}, { ownerReferences: [reference] }));
    await api.delete(`${WIDGETS}/owner`);
    await api.get(`${WIDGETS}/owner`);
  }),
];
