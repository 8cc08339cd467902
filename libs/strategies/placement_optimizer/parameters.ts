import type { JsonObject } from '#libs/domain';
import {
  type ConsolidationParameters,
  consolidationProperties,
  type SearchParameters,
  searchProperties,
} from '../search-based/parameters.ts';

/** Parameters of `placement_optimizer`. */
export type PlacementOptimizerParameters = SearchParameters &
  ConsolidationParameters & {
    /** Aim when no rule is broken and no host is at risk, default `balance`. */
    preset: 'balance' | 'consolidate' | 'defragment' | 'licences' | 'repair_only';
    /** Whether packing and spreading are the aim, instead of the preset. Default false. */
    both_aims: boolean;
    /** Names of the flavors for which `defragment` frees places. Empty: the largest in use. */
    flavors: string[];
    /** Instances that `licences` consolidates: `property=pattern` of image, flavor or metadata. */
    licensed: string[];
  };

/** JSON Schema (draft 4) of the parameters. */
export const placementOptimizerParameters: JsonObject = {
  type: 'object',
  'x-merges': true,
  properties: {
    both_aims: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Konsolidieren und verteilen' } },
      description: 'Pack and spread in one search, with any preset.',
      type: 'boolean',
      default: false,
    },
    preset: {
      'x-texts': { de: { title: 'Vorgabe' } },
      'x-aims': { balance: 'spread', consolidate: 'pack' },
      description:
        'The aim: balance spreads CPU load and memory, consolidate frees hosts, defragment makes places for large flavors, licences has licensed images on ' +
        'few hosts, repair_only stops when nothing is broken and no host is hot.',
      type: 'string',
      enum: ['balance', 'consolidate', 'defragment', 'licences', 'repair_only'],
      default: 'balance',
    },
    ...searchProperties,
    ...consolidationProperties,
    flavors: {
      'x-texts': { de: { title: 'Flavors' } },
      description: 'Flavors that defragment makes places for, by name; without one the largest that an instance has.',
      type: 'array',
      items: { type: 'string', minLength: 1 },
      maxItems: 8,
      uniqueItems: true,
      default: [],
    },
    licensed: {
      'x-advanced': true,
      'x-texts': { de: { title: 'Lizenzpflichtige Instanzen' } },
      description:
        'Instances that licences is about: property=pattern, * for any characters. A property of the image counts, one of the flavor (trait:NAME=required), ' +
        'or one of the metadata of the instance; one of the conditions is enough.',
      type: 'array',
      items: { type: 'string', pattern: '^[^=]+=.+$' },
      minItems: 1,
      default: ['os_type=windows', 'os_distro=windows*'],
    },
  },
};
