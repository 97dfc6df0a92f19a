/** The Videograph service over HTTP. Nothing in this folder knows Pulumi. */
export * from "./baseUrl";
export * from "./client";
export * from "./clock";
export * from "./errors";
export * from "./ids";
export * from "./limits";
export type { ObjectList, Page } from "./pages";
export type { CallOptions } from "./request";
export type { ContentObject, LivestreamObject } from "./schema";
export type { SigningKey } from "./signingKey";
export type { Method, Transport, TransportAnswer, TransportRequest } from "./transport";
