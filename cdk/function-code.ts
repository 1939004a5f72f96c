import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { AssetHashType, type CfnResource, DockerImage } from "aws-cdk-lib";
import { Code, type CodeConfig } from "aws-cdk-lib/aws-lambda";
import { Asset } from "aws-cdk-lib/aws-s3-assets";
import type { Construct } from "constructs";
import type { BundleOptions } from "./bundle-function.ts";

/** The code of a function, bundled from its entry when the template is made. */
export class FunctionCode extends Code {
  readonly isInline = false;
  /** Of the bundle, so that another machine gets the same. */
  readonly hash: string;
  readonly #asset: Asset;

  /** Fails, with what the bundler says, when something cannot be found. */
  constructor(scope: Construct, entry: string) {
    super();
    this.#asset = bundledAsset(scope, entry);
    this.hash = this.#asset.assetHash;
  }

  override bind(): CodeConfig {
    const { s3BucketName: bucketName, s3ObjectKey: objectKey } = this.#asset;
    return { s3Location: { bucketName, objectKey } };
  }

  /** For tools that run functions from the folder of the synthesis. */
  override bindToResource(resource: CfnResource): void {
    this.#asset.addResourceMetadata(resource, "Code");
  }
}

function bundledAsset(scope: Construct, entry: string): Asset {
  if (!existsSync(entry)) {
    throw new Error(
      `cannot bundle ${scope.node.path}: expected ${entry}, which exports "handler"; make it, or give the option entry`,
    );
  }
  return new Asset(scope, "Code", {
    path: dirname(entry),
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry("none"), // Never used: what follows always bundles.
      command: [entry], // By it the CDK tells one bundle from another.
      local: {
        tryBundle: (outdir) => {
          bundle(entry, outdir);
          return true;
        },
      },
    },
  });
}

/** Our own sources where this file is one of them, else what the package has. */
const EXTENSION = import.meta.filename.slice(-3);
const CONDITIONS = EXTENSION === ".ts" ? ["tidegate-source"] : [];
const PROGRAM = join(import.meta.dirname, `bundle-program${EXTENSION}`);

function bundle(entry: string, outdir: string): void {
  const options: BundleOptions = { entry, outdir, conditions: CONDITIONS };
  const args = ["--disable-warning=ExperimentalWarning", PROGRAM, JSON.stringify(options)];
  const { status, stderr, error } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status === 0) return;
  const todo = /Cannot find package 'esbuild'/.test(stderr)
    ? "; install it: npm install --save-dev esbuild"
    : "";
  throw new Error(
    `cannot bundle ${entry}: expected esbuild to find all that it imports${todo}\n${stderr}`,
    { cause: error },
  );
}
