export { type CausedEvent, causeEvent, explainManualEvent, requireRecipe } from './cause.ts';
export { RECIPES } from './recipes.ts';
export { type EventType, type NotByToken, type Recipe, type Scene, TriggerError } from './scene.ts';
