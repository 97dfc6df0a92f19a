/**
 * The limits that depend on each other or on the service, on one page: times, sizes and numbers; a unit test checks how they depend. Elsewhere stand the
 * pauses of waits (`wait/schedule.ts`), the defaults of `customTimeouts` (`timeouts` in `resources/`), and numbers that only one file needs.
 */
/** The most requests that are under way at once, for all resources together. */
export const maxInFlight = 64;

/** The time for one try of a request, from the first byte that is sent to the last byte that is received. */
export const requestTimeoutMs = { GET: 30_000, PUT: 30_000, DELETE: 30_000, POST: 60_000 } as const;

/** No try of any request takes longer. */
export const longestRequestMs = Math.max(...Object.values(requestTimeoutMs));

export const connectTimeoutMs = 10_000;

export const maxBodyBytes = 16 * 2 ** 20;

export const maxTries = 5;
/** The number of tries of a run's first request: with more, the user would wait longer to read that the address is wrong. */
export const unreachableTries = 3;
/** The longest pause before the second try of a request. It doubles before each later try, up to `maxBackoffMs`. */
export const maxFirstBackoffMs = 500;
/** The longest pause before any try of a request, unless the service asks for a longer one. */
export const maxBackoffMs = 10_000;
/** For this time, a request without a deadline is sent again after each 429. */
export const maxRateLimitedMs = 600_000;
/** The longest pause that a `Retry-After` can cause. */
export const maxRetryAfterMs = 120_000;

/**
 * For this time after a create, a 404 does not mean "deleted": the service may accept an object before it shows it. A wait that gets only 404s for
 * this time gives up.
 */
export const consistencyGraceMs = 30_000;

/** The time for the last GET of a wait, which is sent when the time of the wait itself is over. */
export const lastReadMs = 10_000;

/** The pause before an object is read again because the service may not show it, or its last update, yet. */
export const graceStepMs = 2_000;
/**
 * After a 404 for an object in the state, the run waits at most so long for another object to answer 200. A 200 shows that the environment is the
 * right one.
 */
export const neighbourWaitMs = 5_000;
/** The pause between two checks whether another object has answered 200. */
export const neighbourStepMs = 100;

/**
 * For this time after a POST whose answer was lost, the service may still create the object, or its list may not show the object yet. An
 * assumption: no server holds a request for longer (docs/internals/contract.md).
 */
export const acceptanceMs = 70_000;
/** After a POST whose answer was lost, its object is searched for several times, with these pauses. The last pause is repeated. */
export const searchPausesMs = [1_000, 2_000, 3_000, 5_000, 10_000] as const;
/** The most POSTs that one create sends. */
export const maxPosts = 2;
/** The most pages of a list that a search reads. A list that is not sorted by age is read to its end, or to this limit. */
export const maxSearchPages = 1_000;
/** How far the times of the service's objects may differ from its `Date` header, because its servers have clocks of their own. */
export const clockMarginMs = 60 * 60_000;
/**
 * How far the clocks of two machines may differ. The search for an object that an earlier run on another machine created goes so much further back in
 * the list.
 */
export const earlierClockMarginMs = 24 * 60 * 60_000;

/**
 * The time for the CLI to export the state of the run's stack, with all tries. A state of 85 MB in a bucket takes 85 s. All creates of the run wait for it:
 * without the state, a create cannot know of a killed create on another machine, and may make its object a second time.
 */
export const ownStateMs = 120_000;
/** The pauses between the tries to export the state. The last pause is repeated. */
export const ownStatePausesMs = [250, 500, 1_000, 2_000, 5_000] as const;
/** After so many tries, an error ends the export, unless it is one that may pass, such as "locked". */
export const ownStateTries = 3;
/** After this time, the row of a waiting resource shows how long the export has taken. The next lines come after 20 s, 40 s and so on. */
export const ownStateLineMs = 10_000;
/** The time in which creates are gathered: all that ask for the state, or for a list, within this time share one reading of it. */
export const gatherQuietMs = 100;

/** How long a run waits for the processes of an earlier run to end. */
export const earlierRunMs = longestRequestMs + 30_000;
/** The pause between two checks whether the processes of an earlier run have ended. */
export const earlierRunStepMs = 500;

/** The time in which the provider process ends by itself after an interrupt. After 5 s the engine kills it. */
export const interruptGraceMs = 4_500;
/**
 * The last part of `interruptGraceMs`. From its beginning, no create waits for the service any more: all operations, even those of a library with
 * thousands of creates, have this time to answer the engine.
 */
export const lastAnswerMs = 2_000;
/** How long the process works on after the engine is gone: in this time, the last request that is under way can end. */
export const engineGoneGraceMs = longestRequestMs + 5_000;
/** The pause before the process exits, in which its last answers reach the engine. */
export const farewellMs = 200;
/** The time limit for an answer of the engine: to a line for the user, and to the first connection of this process, which it has started. */
export const engineStartMs = 10_000;

/** When the list of contents is wrong, fails, or shows too few contents, waits do without it for this time. */
export const listDisuseMs = 10_000;
/** The time limit for one page of the list when waits read it. A slower page would delay all of them. */
export const listPageMs = 3_000;
