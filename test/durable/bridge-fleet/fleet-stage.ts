import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, onTestFinished, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  type ControlDownFrame,
  type ControlUpFrame,
  controlDownFrameSchema,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';

/** A fleet of its own for each test, and a bridge's end of its control link. */
export function newFleet() {
  const fleet = env.BRIDGE_FLEET.getByName(newUuid());
  const link = async (
    hello: Partial<Extract<ControlUpFrame, { type: 'bridge.hello' }>> = {},
    isSilent = false,
    provenAs?: string,
  ) => {
    const bridgeId = hello.bridgeId ?? newUuid();
    const response = await fleet.fetch(`https://edge/bridge/control?bridge=${provenAs ?? bridgeId}`, {
      headers: { Upgrade: 'websocket' },
    });
    const socket = response.webSocket;
    if (!socket) throw new Error(`refused: ${response.status}`);
    socket.accept();
    const control = {
      bridgeId,
      heard: [] as ControlDownFrame[],
      pongs: 0,
      closed: null as number | null,
      reason: '',
      say: (frame: ControlUpFrame) => socket.send(JSON.stringify(frame)),
      ping: () => socket.send('ping'),
      close: () => socket.close(1000),
      granted: (numberId: string) =>
        until(() =>
          control.heard.find((frame) => frame.type === 'lease.granted' && frame.numberId === numberId),
        ),
    };
    socket.addEventListener('message', ({ data }) => {
      if (data === 'pong') control.pongs += 1;
      else control.heard.push(controlDownFrameSchema.parse(JSON.parse(String(data))));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      control.reason = reason;
      control.closed = code;
    });
    const pings = setInterval(() => isSilent || socket.readyState !== WebSocket.OPEN || control.ping(), 200);
    onTestFinished(() => clearInterval(pings));
    control.say({
      type: 'bridge.hello',
      version: bridgeProtocolVersion,
      bridgeId: control.bridgeId,
      capacity: 2,
      leases: [],
      ...hello,
    });
    return control;
  };
  const linked = async (...how: Parameters<typeof link>) => {
    const control = await link(...how);
    await until(() => control.heard.some(({ type }) => type === 'bridge.welcome'));
    return control;
  };
  return { fleet, link, linked };
}

/** In the tests of the file that calls it the clock stands still, until the test moves it. Timers run as they do. */
export function holdClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** What the operator sees of the bridge. */
export async function shownBridge(fleet: ReturnType<typeof newFleet>['fleet'], bridgeId: string) {
  return (await fleet.bridges()).find((bridge) => bridge.bridgeId === bridgeId);
}
