import { scenario } from "./harness/scenario.ts";

const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const of = (kind: string, spec: object) => ({
  apiVersion: "authorization.k8s.io/v1",
  kind,
  spec,
});
const ATTRIBUTES = { verb: "create", resource: "leases", group: "coordination.k8s.io" };

/** The names of the one user are each server's own. */
export const scenarios = [
  scenario("who has the token may do all", async (api) => {
    const path = `${AUTHORIZATION}/selfsubjectaccessreviews`;
    const answer = await api.quiet.post(
      path,
      of("SelfSubjectAccessReview", {
        resourceAttributes: { ...ATTRIBUTES, namespace: "{ns}" },
      }),
    );
    const { allowed } = answer.object.status as { allowed: boolean };
    if (!allowed) throw new Error(`asking ${path}: expected to be allowed`);
    await api.post(path, of("SelfSubjectAccessReview", {}));
    await api.post(path, of("Other", { resourceAttributes: ATTRIBUTES }));
    await api.get(path);
  }),
  scenario("who asks", async (api) => {
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const answer = await api.quiet.post(path, {
      apiVersion: "authentication.k8s.io/v1",
      kind: "SelfSubjectReview",
    });
    const { userInfo } = answer.object.status as {
      userInfo: { username: string; groups: string[] };
    };
    if (userInfo.username === "" || !userInfo.groups.includes("system:authenticated")) {
      throw new Error(`asking ${path}: expected a user, got ${JSON.stringify(userInfo)}`);
    }
    await api.get(path);
  }),
];
