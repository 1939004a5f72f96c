import type { Plugin } from "esbuild";

/**
 * Leaves out of a bundle what the AWS SDK never reaches inside Lambda, where credentials come from
 * the environment (or, with SnapStart, from the address that the environment names): its readers of
 * profiles, SSO, processes and web identities, with the three service clients behind them, and its
 * parser of browsers' names. Only the SDK's own default chain is cut: a function that imports such a
 * provider itself has it.
 *
 * In their place stand modules that say so when they are reached.
 * https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export const leaveOut: Plugin = {
  name: "leave-out",
  setup: (build) => {
    for (const { name, path, importer, text } of LEFT_OUT) {
      build.onResolve({ filter: path }, (asked) =>
        importer.test(asked.importer)
          ? { path: name, namespace: "left-out", pluginData: text }
          : undefined,
      );
    }
    build.onLoad({ filter: /./, namespace: "left-out" }, ({ pluginData }) => ({
      contents: pluginData,
    }));
  },
};

/**
 * The chain asks each provider in turn, and goes on after an error that says `tryNextLink`. The one
 * that remains after these asks the address in the environment; without one, this is the end.
 */
const CREDENTIALS = `
  const provider = () => async () => {
    const { AWS_CONTAINER_CREDENTIALS_FULL_URI: full, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: relative } = process.env;
    throw Object.assign(
      new Error("cannot get AWS credentials: expected AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, as Lambda sets them, and AWS_PROFILE not set, got neither keys nor AWS_CONTAINER_CREDENTIALS_FULL_URI; set them, or pass the client its credentials: profiles, SSO and web identities are not in this bundle"),
      { name: "CredentialsProviderError", tryNextLink: Boolean(full || relative) },
    );
  };
  export { provider as fromIni, provider as fromProcess, provider as fromSSO, provider as fromTokenFile };
`;

const BROWSERS = `
  throw new Error("cannot tell the browser: expected Node, where nothing asks for it; bowser is not in this bundle");
`;

const LEFT_OUT: readonly {
  /** Of its chunk. */
  readonly name: string;
  readonly path: RegExp;
  readonly importer: RegExp;
  readonly text: string;
}[] = [
  {
    name: "aws-credentials",
    path: /^@aws-sdk\/credential-provider-(ini|process|sso|web-identity)$/,
    importer: /[\\/]@aws-sdk[\\/]credential-provider-node[\\/]/,
    text: CREDENTIALS,
  },
  { name: "browsers", path: /^bowser$/, importer: /[\\/]@aws-sdk[\\/]core[\\/]/, text: BROWSERS },
];
