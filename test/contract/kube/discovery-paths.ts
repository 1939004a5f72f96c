import { scenario } from "./harness/scenario.ts";

export const scenarios = [
  scenario("version and health", async (api) => {
    await api.part("/version", ({ body }) => {
      const { major, minor } = body as { major: string; minor: string };
      return { major, minor };
    });
    await api.get("/healthz");
    await api.get("/livez");
    await api.get("/readyz");
    await api.get("/readyz/ping");
    await api.get("/none");
    await api.get("/api/v1/none");
    await api.get("/api/v1/namespaces/{ns}/none/a");
    await api.get("/api/v1/namespaces/{ns}/configmaps/a/none");
    await api.post("/version", {});
    await api.send({ method: "DELETE", path: "/api/v1" });
  }),
];
