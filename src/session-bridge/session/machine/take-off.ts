import { errorText, type Log } from '../../logging.ts';
import type { NetworkConnection } from '../../network/connection/connection.ts';
import { before } from '../deadline.ts';

/**
 * How long the network may take to confirm it. The next command waits as long, and that may be a pairing before somebody's eyes.
 * What was not confirmed in time is asked again over another connection.
 */
const takeOffMs = 5_000;

/** Takes the device off its phone, over a connection that is open. Returns whether the network has confirmed it. */
export function takenOff(connection: NetworkConnection, log: Log): Promise<boolean> {
  const taken = connection.logout().then(
    () => true,
    (error) => {
      log.warn({ error: errorText(error) }, 'session.logout_failed');
      return false;
    },
  );
  return before(Date.now() + takeOffMs, taken, false);
}
