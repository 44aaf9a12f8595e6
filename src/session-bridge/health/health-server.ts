import { statfsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { ConfigError } from '../config.ts';
import type { JournalDatabase } from '../journal/database.ts';

export interface HealthOptions {
  port: number;
  host: string;
  readiness: () => Readiness;
  /** The port cannot be had: the process must end. */
  onRefused: (error: ConfigError) => void;
}

/**
 * Health checks for a supervisor: `GET /livez` returns 200 as long as the process runs, `GET /readyz` 200 while the bridge can
 * do its work, otherwise 503 with the reasons. It says nothing about numbers and takes no commands, so it needs no credential.
 */
export function openHealth({ port, host, readiness, onRefused }: HealthOptions): Server {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    const isKnown = path === '/livez' || path === '/readyz';
    if (!isKnown || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(isKnown ? 405 : 404).end();
      return;
    }
    const { isReady, reasons } = path === '/livez' ? { isReady: true, reasons: [] } : readiness();
    const body = JSON.stringify({ ok: isReady, reasons });
    response
      .writeHead(isReady ? 200 : 503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(request.method === 'HEAD' ? undefined : body);
  });
  server.once('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'another program has it' : (error.code ?? error.message);
    onRefused(
      new ConfigError(
        `HEALTH_PORT ${port} cannot be opened on ${host}: ${why}. Set HEALTH_PORT to a free port, or leave it out.`,
      ),
    );
  });
  server.listen({ port, host });
  // What asks must not keep a bridge that has ended.
  server.unref();
  return server;
}

/** With less free space, in bytes, the journal is as good as full: what the network sends next may not fit. */
export const freeBytesMin = 32 * 1024 * 1024;
/** Each look at the journal is a commit, so that asking often costs no more. */
const lookEveryMs = 5_000;

/** Whether this bridge can do its work now, and why not: one sentence a reason, without secrets. */
export interface Readiness {
  isReady: boolean;
  reasons: string[];
}

/** What is true of the bridge at the moment. */
export interface BridgeState {
  isEnrolled: boolean;
  /** The gateway has welcomed it over the link that it has now. */
  isLinked: boolean;
  isEnding: boolean;
}

/** What is left on the disk of a folder, in bytes, for the user of this process. */
export function freeBytesAt(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Decides readiness: the bridge is linked to the gateway, and the journal accepts commits. A journal that cannot commit ends
 * the process by its own `onBroken`; this finds a disk that is almost full.
 */
export class ReadinessCheck {
  readonly #db: JournalDatabase;
  readonly #freeBytes: () => number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #diskTrouble: string | null = null;

  /** `freeBytes`: what is left on the journal's disk for this user. */
  constructor(db: JournalDatabase, freeBytes: () => number) {
    this.#db = db;
    this.#freeBytes = freeBytes;
  }

  judge({ isEnrolled, isLinked, isEnding }: BridgeState): Readiness {
    const reasons: string[] = [];
    if (isEnding) reasons.push('The bridge is draining: it hands its numbers over and ends.');
    else if (!isEnrolled) reasons.push('The gateway has not let this bridge in yet.');
    else if (!isLinked) reasons.push('There is no link to the gateway at GATEWAY_URL.');
    const diskTrouble = isEnding ? null : this.#lookAtDisk();
    if (diskTrouble !== null) reasons.push(diskTrouble);
    return { isReady: reasons.length === 0, reasons };
  }

  #lookAtDisk(): string | null {
    if (performance.now() - this.#lookedAt < lookEveryMs) return this.#diskTrouble;
    this.#lookedAt = performance.now();
    this.#diskTrouble = this.#findDiskTrouble();
    return this.#diskTrouble;
  }

  #findDiskTrouble(): string | null {
    try {
      this.#db.setMeta('checkedAt', new Date().toISOString());
      this.#db.commit();
    } catch {
      return 'The journal in BRIDGE_HOME takes no more writes.';
    }
    const bytes = this.#freeBytes();
    if (bytes >= freeBytesMin) return null;
    const freeMib = Math.floor(bytes / 1024 / 1024);
    return `The disk of BRIDGE_HOME is almost full (${freeMib} MiB are left): make room there.`;
  }
}
