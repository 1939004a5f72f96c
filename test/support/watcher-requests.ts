import { type ControllerOptions, defineController } from "../../shared/api/controller.ts";
import { Farm, Widget } from "./watcher-objects.ts";
import { type WatcherStage, watcherStage } from "./watcher-stage.ts";

type Options = Partial<ControllerOptions<Widget, [], [], undefined, []>>;

/**
 * A watcher of widgets that has synced.
 *
 * @param before Prepares the stage before it starts.
 */
export async function watching(
  options: object = {},
  before: (stage: WatcherStage) => void = () => {},
) {
  const controller = defineController({
    name: "widgets",
    for: Widget,
    ...(options as Options),
  });
  const made = watcherStage(controller);
  made.cluster.serve(Widget);
  made.cluster.serve(Farm);
  before(made);
  const running = await made.start();
  made.queue.drain();
  /** What is requested by what `act` does. */
  const requested = async (act: () => void) => {
    act();
    await made.clock.advance(200);
    const keys = made.queue.sent.map(({ request }) => `${request.namespace}/${request.name}`);
    made.queue.drain();
    return [...new Set(keys)].sort();
  };
  return { ...made, ...running, requested };
}
