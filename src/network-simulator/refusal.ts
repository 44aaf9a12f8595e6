/** A request that cannot be granted, with the HTTP status and the sentence that the caller gets. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
  }
}
