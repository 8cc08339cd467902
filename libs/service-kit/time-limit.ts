/** Resolves as `work` does, or with what `late` answers or throws when that takes longer than `ms`. The work itself goes on. */
export async function withTimeLimit<Result>(work: Promise<Result>, ms: number, late: () => Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<Result>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
}
