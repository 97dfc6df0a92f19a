/** How long an operation may take where `customTimeouts` does not say it: the defaults, in ms. */

const minute = 60_000;

export const contentTimeouts = { create: 60 * minute, update: 60 * minute, delete: 5 * minute };
export const livestreamTimeouts = { create: 60 * minute, update: 60 * minute, delete: minute };
/** Of a wait; a delete sends nothing. */
export const readinessTimeouts = { create: 60 * minute, update: 60 * minute };
