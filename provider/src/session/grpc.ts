/**
 * The SDK's copy of gRPC: gRPC is not a dependency of this package, and a client takes credentials only from its own copy. The
 * bundled plugin has a copy of its own instead (tools/plugin/build.ts).
 */
import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";

export const grpc: typeof Grpc = createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");
