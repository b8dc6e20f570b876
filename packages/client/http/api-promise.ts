/** The result of a request, and the response from which it was read. */
export type WithResponse<Data> = { data: Data; response: Response };

/** A promise of a result; `withResponse` also returns the headers and the status. */
export type ApiPromise<Data> = Promise<Data> & { withResponse(): Promise<WithResponse<Data>> };

export function apiPromise<Data>(answered: Promise<WithResponse<Data>>): ApiPromise<Data> {
  const result = answered.then(({ data }) => data);
  return Object.assign(result, {
    withResponse() {
      // The returned promise reports a failure, so this one must not report it again.
      result.catch(() => {});
      return answered;
    },
  });
}

/** Changes the result and keeps the response. */
export function mapPromise<Data, Result>(
  promise: ApiPromise<Data>,
  change: (data: Data) => Result | Promise<Result>,
): ApiPromise<Result> {
  return apiPromise(
    promise.withResponse().then(async ({ data, response }) => ({ data: await change(data), response })),
  );
}
