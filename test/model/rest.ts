/**
 * The first state from which no way leads to rest: what goes round for ever there, and never ends
 * well, is as lost as what has ended ill.
 *
 * @param edges Each step's state and the one after it, in turn.
 */
export function restlessState(
  states: number,
  edges: readonly number[],
  rest: readonly number[],
): number | undefined {
  const into = edgesInto(states, edges);
  const restful = new Uint8Array(states);
  const left = [...rest];
  for (const id of left) restful[id] = 1;
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    for (let edge = into.first[id] ?? -1; edge >= 0; edge = into.next[edge] ?? -1) {
      const from = edges[2 * edge] ?? 0;
      if (restful[from] === 1) continue;
      restful[from] = 1;
      left.push(from);
    }
  }
  const restless = restful.indexOf(0);
  return restless < 0 ? undefined : restless;
}

/** For each state the first edge that leads to it, and for each edge the next with the same end. */
function edgesInto(states: number, edges: readonly number[]) {
  const first = new Int32Array(states).fill(-1);
  const next = new Int32Array(edges.length / 2);
  for (let edge = 0; edge < next.length; edge += 1) {
    const to = edges[2 * edge + 1] ?? 0;
    next[edge] = first[to] ?? -1;
    first[to] = edge;
  }
  return { first, next };
}
