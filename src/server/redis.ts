/** One Redis may serve several installations. */
export type Bus = { url: string; installation: string }

export const redis = (url: string) => new Bun.RedisClient(url, { autoReconnect: false, maxRetries: 0, connectionTimeout: 5_000 })
