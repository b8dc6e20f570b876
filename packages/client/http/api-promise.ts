/** The result of a request, and the answer that it was read from. */
export type WithResponse<Data> = { data: Data; response: Response };

/** A promise of a result; `withResponse` gives the headers and the status too. */
export type ApiPromise<Data> = Promise<Data> & { withResponse(): Promise<WithResponse<Data>> };

export function apiPromise<Data>(answered: Promise<WithResponse<Data>>): ApiPromise<Data> {
  const result = answered.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      // A failure is reported by the promise that is returned, and by no other.
      result.catch(() => {});
      return answered;
    },
  });
}

/** Changes the result and keeps the answer. */
export function mapPromise<Data, Result>(
  promise: ApiPromise<Data>,
  change: (data: Data) => Result | Promise<Result>,
): ApiPromise<Result> {
  return apiPromise(
    promise.withResponse().then(async ({ data, response }) => ({ data: await change(data), response })),
  );
}
