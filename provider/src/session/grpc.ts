/**
 * The SDK's own copy of gRPC. The SDK's client refuses credentials that another copy has made. The bundle of the plugin has only one copy
 * (tools/plugin/build.ts).
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

export const grpc: typeof Grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
