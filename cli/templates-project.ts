import type { ScaffoldFile } from "./scaffold-files.ts";
import { pascalOf } from "./scaffold-names.ts";
import { text } from "./scaffold-text.ts";

/** What a new project says of itself. */
export interface ProjectTemplate {
  /** Of its package. */
  readonly name: string;
  readonly domain: string;
}

/** The files of a new project, all but its package.json. */
export function projectFiles(project: ProjectTemplate): readonly ScaffoldFile[] {
  return [
    { path: "tsconfig.json", text: json(TSCONFIG) },
    { path: "jest.config.js", text: JEST_CONFIG },
    { path: ".oxlintrc.json", text: json(OXLINT_CONFIG) },
    { path: "cdk.json", text: json(CDK_JSON) },
    { path: "cdk/app.ts", text: cdkApp(project) },
    { path: "functions/.gitkeep", text: "" },
    { path: "shared/.gitkeep", text: "" },
    { path: "test/.gitkeep", text: "" },
    { path: ".gitignore", text: "node_modules/\n.tidegate/\ncdk.out/\ncoverage/\n*.log\n" },
    { path: "README.md", text: readme(project) },
  ];
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

// Node runs the TypeScript as it is: the compiler only checks, and refuses what Node cannot strip.
const TSCONFIG = {
  compilerOptions: {
    target: "es2024",
    lib: ["es2024"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["cdk", "functions", "shared", "test"],
};

/** One cluster, of which nothing but the name is known; the rest is asked for at deploy. */
const CDK_JSON = {
  app: "node cdk/app.ts",
  context: { "tidegate:clusters": [{ name: "my-cluster" }] },
};

const JEST_CONFIG = text`
  /** A kube-apiserver takes some seconds to start; a cluster of yours knows no virtual time. */
  const { KUBEBUILDER_ASSETS, TIDEGATE_KUBECONFIG } = process.env;
  const serverTimeoutMs = KUBEBUILDER_ASSETS ? 60_000 : 5_000;

  export default {
    testTimeout: TIDEGATE_KUBECONFIG ? 600_000 : serverTimeoutMs,
    testMatch: ["<rootDir>/{functions,shared,test}/**/*.test.ts"],
    passWithNoTests: true,
    extensionsToTreatAsEsm: [".ts"],
    transform: {
      "\\\\.ts$": [
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
`;

// A call of the API server that nobody waits for is the fault that compilers do not see.
const OXLINT_CONFIG = {
  $schema: "./node_modules/oxlint/configuration_schema.json",
  plugins: ["typescript", "unicorn", "oxc", "import", "promise"],
  categories: { correctness: "error" },
  ignorePatterns: ["cdk.out", "coverage"],
  rules: {
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
  },
};

function cdkApp({ name }: ProjectTemplate): string {
  return text`
    import { App, Stack } from "aws-cdk-lib";
    import { clustersInContext, ReconcilerPlatform, readControllers } from "tidegate/cdk";

    const app = new App();
    const stack = new Stack(app, "${pascalOf(name)}");
    const controllers = await readControllers("functions");

    // The clusters are those of cdk.json. Each gets queues and functions of its own.
    for (const cluster of clustersInContext(stack)) {
      const platform = new ReconcilerPlatform(stack, cluster.name, { cluster });
      for (const { controller, entry } of controllers) {
        platform.addController(controller, { entry });
      }
    }
  `;
}

function readme({ name, domain }: ProjectTemplate): string {
  return text`
    # ${name}

    Kubernetes controllers as functions, made with Tidegate. The groups of its APIs end in \`${domain}\`.

    | command | what it does |
    |---|---|
    | \`npx tidegate create api --group webapp --version v1 --kind Guestbook\` | makes a kind of your own and its controller |
    | \`npx tidegate create controller --kind Deployment\` | makes a controller for a kind that there is |
    | \`npm start\` | runs everything on this machine, with an embedded cluster for kubectl |
    | \`npm test\` | runs the tests in \`test/\`, on an in-memory cluster and a virtual clock |
    | \`npm run types\`, \`npm run lint\` | checks types; finds calls that nobody waits for |
    | \`npm run synth\` | makes the CloudFormation template of \`cdk/app.ts\` |

    | folder | what is in it |
    |---|---|
    | \`functions/\` | one folder a controller: \`resource.ts\` (the kind), \`controller.ts\` (what to watch), \`reconciler.ts\` (what to do), \`handler.ts\` (the function's entry) |
    | \`shared/\` | code that several functions share |
    | \`test/\` | tests |
    | \`cdk/\` | what is deployed to AWS: to the clusters that \`cdk.json\` names |

    Documentation is in \`node_modules/tidegate/docs\`: begin with \`getting-started.md\`.
  `;
}
