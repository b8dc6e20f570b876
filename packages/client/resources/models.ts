import { mapPromise, type ApiPromise } from '#client/http/api-promise.ts';
import type { RequestOptions, Transport } from '#client/http/transport.ts';
import type { Model, PullableModel } from '#client/types.ts';

/** The models of the server that can be used now. */
export class Models {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): ApiPromise<Model[]> {
    const response = this.#transport.json<{ data: Model[] }>({ method: 'GET', path: '/v1/models' }, options);
    return mapPromise(response, ({ data }) => data);
  }

  get(id: string, options?: RequestOptions): ApiPromise<Model> {
    return this.#transport.json({ method: 'GET', path: `/v1/models/${encodeURIComponent(id)}` }, options);
  }

  /**
   * Lists the models that can be pulled, for keys with the scope `admin`; none where pulling is
   * forbidden.
   */
  pullable(options?: RequestOptions): ApiPromise<PullableModel[]> {
    const response = this.#transport.json<{ models: PullableModel[] }>(
      { method: 'GET', path: '/api/admin/models' },
      options,
    );
    return mapPromise(response, ({ models }) => models);
  }

  /** Begins to pull a model; `model_pull` of `health()` shows the progress. */
  async pull(name: string, options?: RequestOptions): Promise<void> {
    const path = `/api/admin/models/${encodeURIComponent(name)}/pull`;
    await this.#transport.json({ method: 'POST', path }, options);
  }
}
