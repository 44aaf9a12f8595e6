/** What the process of the simulator is asked. */
export type SimulatorQuestion =
  | { kind: 'start'; port: number; home: string }
  /** The acknowledgements since the last taking. */
  | { kind: 'take' }
  /** Posts these bodies to a receiver, so many a second. */
  | { kind: 'post'; url: string; perSecond: number; bodies: string[] };

export interface SimulatorAnswer {
  /** Each message's acknowledgement as it left, or each body's POST as it began: its id, and milliseconds since 1970. */
  moments: { id: string; at: number }[];
}
