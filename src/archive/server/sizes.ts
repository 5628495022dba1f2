const MIB = 2 ** 20

export const sizeOf = (bytes: number): string => `${bytes < 10 * MIB ? (bytes / MIB).toFixed(1) : Math.round(bytes / MIB)} MB`
