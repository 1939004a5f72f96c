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

export default {
  reporters: ["default", "<rootDir>/test/support/one-line-reporter.js"],
  projects: [
    {
      ...common,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/test/real/"],
    },
    ...(process.env.TEST_REAL
      ? [{ ...common, displayName: "real", testMatch: ["<rootDir>/test/real/**/*.test.ts"] }]
      : []),
  ],
};
