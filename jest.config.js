const common = {
  testEnvironmentOptions: {
    customExportConditions: ["tidegate-source", "node", "node-addons"],
  },
  extensionsToTreatAsEsm: [".ts"],
  transform: {
    "\\.ts$": [
      "@swc/jest",
      {
        jsc: {
          parser: { syntax: "typescript" },
          target: "es2024",
          experimental: { keepImportAttributes: true },
        },
        module: { type: "es6" },
      },
    ],
  },
};

/** A kube-apiserver takes some seconds to start; a cluster of yours knows no virtual time. */
const { KUBEBUILDER_ASSETS, TIDEGATE_KUBECONFIG } = process.env;
const serverTimeoutMs = KUBEBUILDER_ASSETS ? 60_000 : 5_000;

export default {
  testTimeout: TIDEGATE_KUBECONFIG ? 600_000 : serverTimeoutMs,
  reporters: ["default", "<rootDir>/test/support/one-line-reporter.js"],
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/{test,functions}/**/*.test.ts"],
      testPathIgnorePatterns: ["/test/real/"],
    },
    ...(process.env.TEST_REAL
      ? [{ ...common, displayName: "real", testMatch: ["<rootDir>/test/real/**/*.test.ts"] }]
      : []),
  ],
};
