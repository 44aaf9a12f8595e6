/** Who asked has hung up within the body: nobody is there to be answered, and nothing of ours has failed. */
export class ClientGone extends Error {}
