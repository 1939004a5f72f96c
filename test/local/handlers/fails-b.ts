interface Batch {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** Fails the messages whose body begins with "b". */
export const handler = async ({ Records }: Batch): Promise<object> => ({
  batchItemFailures: Records.filter(({ body }) => body.startsWith("b")).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});
