import type { Clock } from "../../shared/clock.ts";
import type { ApiAnswer } from "./api-request.ts";
import { jsonAnswer } from "./api-status.ts";
import { appliedObject, objectOfBody } from "./object-body.ts";
import { patchBodyOf, patchTypeOf } from "./patch-body.ts";
import { bindPod, evictPod } from "./pod-subresources.ts";
import type { Registry } from "./registry.ts";
import { methodNotAllowed } from "./registry-errors.ts";
import { answeredObject, type RequestTarget, writeCallOf } from "./router-target.ts";
import type { ScaleCodec } from "./scale.ts";
import type { ObjectStore } from "./store.ts";

export interface WriterOptions {
  readonly registry: Registry;
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly scale: ScaleCodec;
}

/** Answers a POST to a collection. */
export function postObject({ registry, clock }: WriterOptions, target: RequestTarget): ApiAnswer {
  const { request, resource } = target;
  const call = writeCallOf(target, { kind: "CreateOptions" });
  const { object, text } = objectOfBody(request.body, request.headers["content-type"], resource);
  const made = registry.create({ ...call, text }, object);
  return answeredObject(target, made, { status: 201, nowMs: clock.nowMs() });
}

/** Answers a POST to one object: only Pods take any. */
export function postSubresource(options: WriterOptions, target: RequestTarget): ApiAnswer {
  const { request, resource, path } = target;
  const { subresource = "" } = path;
  const pod = !resource.custom && resource.group === "" && resource.kind === "Pod";
  const change = { binding: bindPod, eviction: evictPod }[subresource];
  if (!pod || !change) throw methodNotAllowed();
  const call = writeCallOf(target, { kind: "CreateOptions" });
  change(options, { ...call, body: request.body, dryRun: call.options.dryRun });
  const status = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 };
  return jsonAnswer(201, status);
}

/** Answers a PUT. */
export function putObject(options: WriterOptions, target: RequestTarget): ApiAnswer {
  const { request, resource } = target;
  const { registry, scale, clock } = options;
  const call = writeCallOf(target, { kind: "UpdateOptions" });
  if (call.subresource === "scale") {
    const body = scale.bodyOf(request.body, call.name);
    const object = registry.patch(call, (live) => scale.scaled(resource, live, body));
    return jsonAnswer(200, scale.scaleOf(resource, object));
  }
  const body = objectOfBody(request.body, request.headers["content-type"], resource);
  const { object, created } = registry.update({ ...call, text: body.text }, body.object);
  return answeredObject(target, object, { status: created ? 201 : 200, nowMs: clock.nowMs() });
}

/** Answers a PATCH. */
export function patchObject(options: WriterOptions, target: RequestTarget): ApiAnswer {
  const { request, resource, path } = target;
  const { registry, scale, clock } = options;
  const type = patchTypeOf(request.headers["content-type"], resource);
  if (type === "apply") return applyToObject(options, target);
  const call = writeCallOf(target, { kind: "PatchOptions", type });
  const { applied, text } = patchBodyOf(type, request.body, resource);
  if (path.subresource === "scale") {
    const object = registry.patch(call, (live) =>
      scale.scaled(resource, live, applied(scale.scaleOf(resource, live))),
    );
    return jsonAnswer(200, scale.scaleOf(resource, object));
  }
  const object = registry.patch({ ...call, text }, applied);
  return answeredObject(target, object, { nowMs: clock.nowMs() });
}

function applyToObject(options: WriterOptions, target: RequestTarget): ApiAnswer {
  const { request, resource, path } = target;
  const { registry, scale, clock } = options;
  const call = writeCallOf(target, { kind: "PatchOptions", type: "apply" });
  const { object: patch, text } = appliedObject(request.body);
  if (path.subresource === "scale") {
    const parent = scale.appliedParent(resource, call.name, patch);
    const { object } = registry.apply({ ...call, text }, parent);
    return jsonAnswer(200, scale.scaleOf(resource, object));
  }
  const { object, created } = registry.apply({ ...call, text }, patch);
  return answeredObject(target, object, { status: created ? 201 : 200, nowMs: clock.nowMs() });
}
