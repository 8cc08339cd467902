import { useQuery } from '@tanstack/react-query';
import type { Property, PropertyDeclarations } from '../api/internal-types.ts';
import { useDashboard, useMay } from './dashboard-context.tsx';

/** A property as the page knows it. */
export interface ShownProperty<Value> {
  /** Null also while nothing is known. */
  value: Value | null;
  /** Age of the value in seconds when it was read. Null without a value. */
  ageSeconds: number | null;
  /** Why there is no newer value. Null when there is one. */
  problem: string | null;
}

/** Lower bound of the pause between two reads, in milliseconds. */
const leastPollMs = 2_000;

/**
 * A dynamic property of an entity, read again after its time to live: all viewers share one call of its owner. Null
 * when the API does not offer it, the user may not read it, or while it is read for the first time.
 */
export function useProperty<Value>(kind: string, id: string, name: string): ShownProperty<Value> | null {
  const { internal } = useDashboard();
  const mayRead = useMay('internal:read');
  const declarations = useQuery({
    queryKey: ['internal', 'properties'],
    queryFn: () => internal<PropertyDeclarations>('properties'),
    enabled: mayRead,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const declared = declarations.data?.properties.find((each) => each.kind === kind && each.name === name);
  const read = useQuery({
    queryKey: ['property', kind, id, name],
    queryFn: () => internal<Property>(`properties/${kind}/${encodeURIComponent(id)}/${name}`),
    enabled: declared !== undefined,
    staleTime: 0,
    retry: false,
    refetchInterval: Math.max(leastPollMs, (declared?.ttl_seconds ?? 0) * 1000),
  });
  if (declared === undefined || read.isPending) return null;
  const { data, error } = read;
  return {
    value: (data?.value ?? null) as Value | null,
    ageSeconds: data?.age_seconds ?? null,
    problem: error ? error.message : (data?.error?.message ?? null),
  };
}
