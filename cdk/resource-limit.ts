import { CfnResource, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** CloudFormation takes 500 a stack; some are left for what is added to a full one. */
const MAX_RESOURCES = 480;

const limited = new WeakSet<Stack>();

/** Has the synthesis fail, with what to do, when the stack of a construct is nearly full. */
export function limitResources(scope: Construct): void {
  const stack = Stack.of(scope);
  if (limited.has(stack)) return;
  limited.add(stack);
  stack.node.addValidation({
    validate: () => {
      const count = resourceCount(stack);
      if (count <= MAX_RESOURCES) return [];
      return [
        `stack ${stack.stackName} has ${count} resources: expected at most ${MAX_RESOURCES}, for CloudFormation takes 500; ` +
          'make some of its controllers in another stack: platform.addController(controller, { scope: new Stack(app, "More") })',
      ];
    },
  });
}

/** Those of the stack itself: nested stacks count for themselves. */
function resourceCount(stack: Stack): number {
  return stack.node
    .findAll()
    .filter((each) => CfnResource.isCfnResource(each) && each.stack === stack).length;
}
