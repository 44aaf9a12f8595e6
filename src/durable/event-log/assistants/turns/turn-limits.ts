/** A burst is answered at the latest so long after it began, however fast its author goes on. */
export const burstMsMax = 30_000;
/** Messages of one burst that are told apart, the newest: more than rules answer within an hour, or a model is shown. */
export const toAnswerMax = 100;
/** A turn is tried so often; milliseconds before the second and third try. */
export const attemptsMax = 3;
export const waitsMs = [4_000, 15_000];
/** A reply that no number can send at the moment is tried so often. */
export const sendAttemptsMax = 8;
export const sendWaitMs = 20_000;
/** Wake-ups that are sent at a time. */
export const wakeUpsMax = 100;
