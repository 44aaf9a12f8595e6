import { Status, type Tone } from '../../parts/feedback.tsx';

const toneOf = (status: number): Tone => (status < 400 ? 'green' : status < 500 ? 'amber' : 'red');

/** What a request was answered with; of an error its code. */
export function RequestStatus({ status, code }: { status: number; code: string | null }) {
  return <Status tone={toneOf(status)}>{code === null ? `${status}` : `${status} ${code}`}</Status>;
}
