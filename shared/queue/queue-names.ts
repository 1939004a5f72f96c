/** The names of a controller's queue and of its dead-letter queue. */
export function queueNames(
  cluster: string,
  controller: string,
): { readonly queue: string; readonly deadLetterQueue: string } {
  const name = `tidegate-${cluster}-${controller}`;
  return { queue: `${name}.fifo`, deadLetterQueue: `${name}-dead.fifo` };
}

/** As long as SQS keeps a message at most. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const RETENTION_SECONDS = 14 * 86_400;
