/** The version of this tree, as package.json has it: what the Worker, a bridge and `npm start` say of themselves. */
export const release = '0.2.0-dev';
