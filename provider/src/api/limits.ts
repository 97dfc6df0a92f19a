/**
 * How long, how often, how many: the limits of the client, and the times that other parts derive from them. A unit test
 * holds the relations between them.
 */
import type { Method } from "./transport";

/** Requests in flight at once, for all resources together. */
export const maxInFlight = 64;

/** For one try, from the first byte that is sent to the last one that is received. */
export const requestTimeoutMs: Record<Method, number> = { GET: 30_000, PUT: 30_000, DELETE: 30_000, POST: 60_000 };

/** No try of any request lasts longer. */
export const longestRequestMs = Math.max(...Object.values(requestTimeoutMs));

/** For one connection to come about. */
export const connectTimeoutMs = 10_000;
/** A second line behind the request's own time limit. */
export const headersTimeoutMs = longestRequestMs + 30_000;
/** The longest pause between two pieces of a body. */
export const bodyPauseMs = 30_000;

export const maxBodyBytes = 16 * 2 ** 20;
export const maxRedirects = 5;

/** Tries of one request. */
export const maxTries = 5;
/** For the tries of one request and the waits between them. Waiting for its turn does not count: that time is the others'. */
export const maxEffortMs = 120_000;
/** The longest `Retry-After` that is granted, whatever the service asks for. */
export const maxRetryAfterMs = 120_000;

/** So many 403s without a success between them hold for an endpoint; fewer may be about single objects. */
export const maxForbidden = 3;

/** A request that hangs says nothing of the credentials, and must not hold all others until it is given up. */
export const maxAloneMs = 5_000;

/** For so long after its create a 404 proves nothing: the service may show an object a moment later than it accepted it. */
export const consistencyGraceMs = 30_000;

/** For so long an object has to answer 404 before a wait believes that it was deleted: a replica may lag. */
export const missingGraceMs = 5_000;

/** For the last GET of a wait, whose own time is over. */
export const lastReadMs = 10_000;

/** For the CLI to show the stack's own state. */
export const ownStateMs = 10_000;

/** How long the processes of an earlier run are waited for: longer than any request lasts. */
export const earlierRunMs = longestRequestMs + 30_000;

/**
 * For so long after a POST has ended without an answer may the service still accept it, or its list not show it yet. An
 * assumption: a server may hold a request for as long as its own time limits (docs/internals/contract.md).
 */
export const acceptanceMs = 70_000;
