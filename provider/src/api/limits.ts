/**
 * How long, how often, how many: all limits of the package on one page, but for the pauses of waits (wait/polling.ts) and
 * the defaults of `customTimeouts` (`timeouts` in resources/). A unit test holds the relations between them.
 */
/** Requests in flight at once, for all resources together. */
export const maxInFlight = 64;

/** For one try, from the first byte that is sent to the last one that is received. */
export const requestTimeoutMs = { GET: 30_000, PUT: 30_000, DELETE: 30_000, POST: 60_000 } as const;

/** No try of any request lasts longer. */
export const longestRequestMs = Math.max(...Object.values(requestTimeoutMs));

/** For setting up one connection. */
export const connectTimeoutMs = 10_000;

export const maxBodyBytes = 16 * 2 ** 20;

/** Tries of one request. */
export const maxTries = 5;
/** The same for a run's first request, so that a wrong address is reported soon. */
export const unreachableTries = 3;
/** Before the second try of a request, at most; twice as much before each further one… */
export const maxFirstBackoffMs = 500;
/** …up to this. */
export const maxBackoffMs = 10_000;
/** A rate-limited request is sent again for this long, if nothing else limits its time. No request takes longer. */
export const maxRateLimitedMs = 600_000;
/** The longest `Retry-After` that is respected, whatever the service asks for. */
export const maxRetryAfterMs = 120_000;

/**
 * For this long after a create a 404 proves nothing: the service may show an object later than it accepts it. A wait takes a
 * content for deleted after as long without any other answer.
 */
export const consistencyGraceMs = 30_000;

/** For the last GET of a wait, whose own time is over. */
export const lastReadMs = 10_000;

/** The pause before a new object that returned 404 is requested again. */
export const graceStepMs = 2_000;
/** After a 404 for a recorded object: how long to wait until another object is seen. */
export const neighbourWaitMs = 5_000;
/** How often to look whether one was. */
export const neighbourStepMs = 100;

/**
 * This long after a POST ended without an answer, the service may still accept it, or its list may not show the object yet.
 * An assumption: a server may hold a request for as long as its own time limits (docs/internals/contract.md).
 */
export const acceptanceMs = 70_000;
/** Pauses between the searches for a lost create; the last one is repeated. */
export const searchPausesMs = [1_000, 2_000, 3_000, 5_000, 10_000] as const;
/** POSTs of one create. */
export const maxPosts = 2;
/** At most this many pages of a list are searched: a list that is not sorted by age is read to its end. */
export const maxSearchPages = 1_000;
/** How far the clocks of this machine and of the service may differ, beyond what the `Date` header shows. */
export const clockMarginMs = 60 * 60_000;

/** For the CLI to export the stack's own state. */
export const ownStateMs = 10_000;
/** Creates that come within this time share one export of the state, or one reading of a list. */
export const gatherQuietMs = 100;

/** How long to wait for the processes of an earlier run. */
export const earlierRunMs = longestRequestMs + 30_000;
/** How often to check whether they have ended. */
export const earlierRunStepMs = 500;

/** The engine kills the provider process 5 s after its interrupt. */
export const interruptGraceMs = 4_500;
/** Before the process ends: time for the answers of creates that are still under way, and of a library with thousands of them. */
export const lastAnswerMs = 2_000;
/** How long the process works on without an engine: no request under way lasts longer. */
export const engineGoneGraceMs = longestRequestMs + 5_000;
/** For the last answers to leave the process. */
export const farewellMs = 200;
/** For the first answer of an engine that has just started the process. */
export const engineStartMs = 10_000;

/** Waits do not read a list for this long after it contradicted single answers, failed, or showed too few of the contents. */
export const listDisuseMs = 10_000;
/** A page that takes longer delays every wait. */
export const listPageMs = 3_000;
