/**
 * gRPC, as the SDK has installed it. The SDK's client refuses credentials that another copy of gRPC has made. In the bundle of the plugin there is only one
 * copy (tools/plugin/build.ts).
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

export const grpc: typeof Grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
