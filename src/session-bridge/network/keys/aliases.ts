/** The client's number for the addresses of privacy aliases, in the names of sessions. */
export const aliasDomain = 1;
