type Storage = Pick<DurableObjectStorage, 'transactionSync'>;

/** One transaction. `rolledBack`: what is stored is true then, what is in memory is not. */
export function inTransaction<Result>(storage: Storage, work: () => Result, rolledBack: () => void): Result {
  try {
    return storage.transactionSync(work);
  } catch (error) {
    rolledBack();
    throw error;
  }
}
