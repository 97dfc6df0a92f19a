/**
 * All limits of the package on one page: times, sizes and numbers, but for the pauses of waits (wait/schedule.ts) and
 * the defaults of `customTimeouts` (`timeouts` in resources/). A unit test holds the relations between them.
 */
/** The number of requests in flight at once, for all resources together. */
export const maxInFlight = 64;

/** The time for one try, from the first byte that is sent to the last one that is received. */
export const requestTimeoutMs = { GET: 30_000, PUT: 30_000, DELETE: 30_000, POST: 60_000 } as const;

/** The time that no try of any request exceeds. */
export const longestRequestMs = Math.max(...Object.values(requestTimeoutMs));

export const connectTimeoutMs = 10_000;

export const maxBodyBytes = 16 * 2 ** 20;

export const maxTries = 5;
/** The number of tries of a run's first request, so that a wrong address is reported soon. */
export const unreachableTries = 3;
/** The longest pause before the second try of a request; twice as long before each further one… */
export const maxFirstBackoffMs = 500;
/** …up to this pause. */
export const maxBackoffMs = 10_000;
/** The time for which a rate-limited request is sent again, if nothing else limits it. No request takes longer. */
export const maxRateLimitedMs = 600_000;
/** The longest `Retry-After` that is respected, whatever the service asks for. */
export const maxRetryAfterMs = 120_000;

/**
 * The time after a create in which a 404 proves nothing: the service may show an object later than it accepts it. A wait takes a
 * content for deleted after the same time without any other answer.
 */
export const consistencyGraceMs = 30_000;

/** The time for the last GET of a wait, whose own time is over. */
export const lastReadMs = 10_000;

/** The pause before a new object that returned 404 is requested again. */
export const graceStepMs = 2_000;
/** The time to wait, after a 404 for a recorded object, until another object is seen. */
export const neighbourWaitMs = 5_000;
/** The pause between two looks whether one was seen. */
export const neighbourStepMs = 100;

/**
 * The time after a POST without an answer in which the service may still accept it, or its list may not show the object yet.
 * An assumption: a server may hold a request for as long as its own time limits (docs/internals/contract.md).
 */
export const acceptanceMs = 70_000;
/** The pauses between the searches for a lost create; the last one is repeated. */
export const searchPausesMs = [1_000, 2_000, 3_000, 5_000, 10_000] as const;
/** The number of POSTs of one create. */
export const maxPosts = 2;
/** The most pages of a list that are searched: a list that is not sorted by age is read to its end. */
export const maxSearchPages = 1_000;
/** The largest difference between the clocks of the service's own servers, and beyond the one that its `Date` header shows. */
export const clockMarginMs = 60 * 60_000;
/** The largest difference between the clocks of this machine and of an earlier run's. It only decides how far a list is read. */
export const earlierClockMarginMs = 24 * 60 * 60_000;

/**
 * The time for the CLI to export the stack's own state, with all tries: a state of 85 MB in a bucket takes 85 s. The creates of the run wait for it,
 * and one that begins without it may make an object of a killed create again.
 */
export const ownStateMs = 120_000;
/** The pauses between its tries; the last one is repeated. */
export const ownStatePausesMs = [250, 500, 1_000, 2_000, 5_000] as const;
/** The number of tries where nothing says that a later one may succeed. */
export const ownStateTries = 3;
/** The time until the first line that says how long it takes; each further one comes after twice as long. */
export const ownStateLineMs = 10_000;
/** The time within which creates share one export of the state, or one reading of a list. */
export const gatherQuietMs = 100;

/** The time to wait for the processes of an earlier run. */
export const earlierRunMs = longestRequestMs + 30_000;
/** The pause between two checks whether they have ended. */
export const earlierRunStepMs = 500;

/** The time that an interrupt leaves: the engine kills the provider process 5 s after it. */
export const interruptGraceMs = 4_500;
/** The time, before the process ends, for the answers of creates that are still under way, and of a library with thousands of them. */
export const lastAnswerMs = 2_000;
/** The time for which the process works on without an engine: no request under way lasts longer. */
export const engineGoneGraceMs = longestRequestMs + 5_000;
/** The time for the last answers to leave the process. */
export const farewellMs = 200;
/** The time for the first answer of an engine that has just started the process. */
export const engineStartMs = 10_000;

/** The time for which waits do not read a list that has contradicted single answers, failed, or shown too few of the contents. */
export const listDisuseMs = 10_000;
/** The time for one page of a list that waits read: a slower page would delay every wait. */
export const listPageMs = 3_000;
